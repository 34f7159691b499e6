/** Also matches names with an extension or trailing spaces. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Whether Windows reserves a file name for a device, so that no such file can be written. */
export function isDeviceName(name: string): boolean {
  return devices.test(name);
}

/** What an ending or spaces after it change nothing about. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Whether Windows keeps a file's name for a device, whatever its ending: nobody can write such a file there. */
export function isDeviceName(name: string): boolean {
  return devices.test(name);
}

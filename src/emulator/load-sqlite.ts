/**
 * `node:sqlite` without the ExperimentalWarning that Node 22 prints for it. All other warnings,
 * experimental ones included, stay.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning))) emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

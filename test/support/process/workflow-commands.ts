/**
 * The lines that GitHub Actions, Azure Pipelines or TeamCity would treat as a command, as GitHub's
 * runner reads them: `::name …::` after whitespace, `##[name]` anywhere.
 */
export function workflowCommands(output: string): string[] {
  return output
    .split(/[\n\r]/)
    .filter((line) => /^[\s\u0085]*::.*::/.test(line) || /##\w*\[/.test(line));
}

/** What becomes of each line of a shell block. */

/** The first pattern that fits a line decides: it is run as it is, or the named test runs it. */
const RULES: readonly (readonly [RegExp, 'run' | string])[] = [
  // These need a model, a server, another machine, a database, a confirmation or a shell of the reader's.
  [/^hermes (?:worker|serve|ui|eval|learn|migrate|skills install)\b/, 'packages/cli/test'],
  [/^\*\/5 .* hermes worker\b/, 'packages/cli/test/worker.test.ts'],
  [/^hermes (?:export - |(?:import|search|completion)\b)/, 'packages/cli/test'],
  [/^npx @hermes\/cli connect claude-code$/, 'packages/cli/test/connect.test.ts'],
  [/^npx @hermes\/cli migrate\b/, 'packages/postgres/test/readme.test.ts'],
  [/^(?:umask|sqlite3) /, 'packages/sqlite/test/readme.test.ts'],
  [/^flock ~\/\.hermes\/\.hermes\/log cp /, 'packages/core/test/storage/copy-in-use.test.ts'],
  [/^(?:DATABASE_URL=\S+ )?(?:npx -y )?pnpm(?:@12)? /, 'script'],
  [/^node examples\//, 'examples/langchain-chain/test/example.long.test.ts'],
  [/^npm (?:create @hermes$|start )/, 'scripts/packed/create.long.test.ts'],
  [/^npm install /, 'install'],
  [/^(?:npx @hermes\/cli|hermes) /, 'run'],
]

/** `run`, `script` (of the root package.json), `install`, a test or a folder of tests; undefined if nothing is known about the line. */
export const planOf = (line: string): string | undefined => RULES.find(([pattern]) => pattern.test(line))?.[1]

/** The lines of a shell block that do something, without comments. */
export const commandsIn = (code: string): readonly string[] =>
  code.split('\n').flatMap((line) => {
    const command = line.replace(/\s+#.*$/, '').trim()
    return command === '' || command.startsWith('#') ? [] : [command]
  })

export interface ConsoleCommand {
  readonly command: string
  /** What it prints; a line `…` stands for anything. */
  readonly output: string
}

/** A console block: each line that begins with `$` is a command, what follows is its output. */
export const consoleCommands = (code: string): readonly ConsoleCommand[] =>
  code
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n')
      return { command, output: output.join('\n') }
    })

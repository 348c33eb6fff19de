/** Runs the command in this process at a terminal of 80 columns, without colours and cursor movement. */
import { PassThrough } from 'node:stream'
import { runCli } from '../src/run-cli.ts'
import type { HermesRun } from './run-hermes.ts'

/** `press` gets each text that is shown on stderr, and returns the keys to press, if any. */
export const runAtTerminal = async (
  args: readonly string[],
  press: (shown: string) => Promise<string | undefined>,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<HermesRun> => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const stdout = new PassThrough()
  const shown = { stdout: '', stderr: '' }
  stdout.on('data', (chunk) => {
    shown.stdout += String(chunk)
  })
  stderr.on('data', (chunk) => {
    shown.stderr += String(chunk)
    void press(String(chunk)).then((keys) => keys !== undefined && stdin.write(keys))
  })
  const code = await runCli(args, {
    env: { TERM: 'dumb', ...env },
    stdin,
    stdout,
    stderr,
    userHome: '/no/such/home',
    createId: () => crypto.randomUUID(),
    onInterrupt: () => () => {},
    onStop: () => () => {},
    endSoon: () => {},
  })
  return { code, ...shown }
}

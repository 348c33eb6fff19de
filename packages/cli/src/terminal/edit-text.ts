/** Lets a person edit a text in their own editor. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, HermesError, ok, type Result } from '@hermes/core'
import type { World } from '../world.ts'

export interface Draft {
  readonly text: string
  /** Exists until `discard` is called, so that nothing is lost if the text is refused. */
  readonly path: string
  readonly discard: () => Promise<void>
}

/** As for git: a command line, to which the path is added. */
const editorOf = ({ env, stdin, stderr }: World): string | undefined => {
  const named = env['VISUAL']?.trim() || env['EDITOR']?.trim()
  if (named) return named
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  return process.platform === 'win32' ? 'notepad' : 'vi'
}

/** Undefined if it ended well. */
const runEditor = (editor: string, path: string, { env, stdout, onInterrupt }: World): Promise<string | undefined> =>
  new Promise((resolve) => {
    // Ctrl-C is a key of the editor.
    const listenAgain = onInterrupt(() => {})
    const end = (problem: string | undefined): void => {
      listenAgain()
      resolve(problem)
    }
    // A result that is piped on must not get what the editor draws.
    const stdio = ['inherit', stdout.isTTY === true ? 'inherit' : 2, 'inherit'] as const
    const options = { env: { ...env }, stdio: [...stdio] }
    const child =
      process.platform === 'win32'
        ? spawn(`${editor} "${path}"`, { ...options, shell: true })
        : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'editor', path], options)
    child.on('error', ({ message }) => end(message))
    child.on('close', (code, signal) => end(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`))
  })

/** `fileName`: as the editor shows it. An error if there is no editor or it fails; a text that was changed by then is kept. */
export const editText = async (text: string, fileName: string, world: World): Promise<Result<Draft>> => {
  const editor = editorOf(world)
  if (editor === undefined)
    return err(new HermesError('invalid', 'There is no editor: set EDITOR, or name a file with the text: --from <file>.'))
  const folder = await mkdtemp(join(tmpdir(), 'hermes-edit-'))
  const path = join(folder, fileName)
  await writeFile(path, text, { mode: 0o600 })
  const discard = () => rm(folder, { recursive: true, force: true })
  const problem = await runEditor(editor, path, world)
  const edited = await readFile(path, 'utf8').catch(() => undefined)
  if (problem === undefined && edited !== undefined) return ok({ text: edited, path, discard })
  const isKept = edited !== undefined && edited !== text
  if (!isKept) await discard()
  const kept = isKept ? ` Your text is kept in ${path}.` : ''
  return err(new HermesError('io', `The editor '${editor}' failed: ${problem ?? 'it removed the file'}. Nothing was changed.${kept}`))
}

/** Opens a link in the person's browser, with the command that their system has for it. */
import { spawn } from 'node:child_process'
import type { World } from '../../world.ts'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  // `start` is a word of the shell, and takes its first quoted argument for a title.
  win32: ['cmd', '/d', '/c', 'start', ''],
}

/** The command and its arguments. Pure. */
export const openerOf = (platform: NodeJS.Platform, link: string): readonly [command: string, args: readonly string[]] => {
  const [command, ...args] = OPENERS[platform] ?? ['xdg-open']
  return [command, [...args, link]]
}

/** Does not wait for it. Calls `onFailure` at most once, if there is no such command or it reports a failure. */
export const openBrowser = (link: string, { env }: Pick<World, 'env'>, onFailure: () => void): void => {
  const [command, args] = openerOf(process.platform, link)
  const opener = spawn(command, args, { env, stdio: 'ignore', detached: true, windowsHide: true })
  opener.once('error', onFailure)
  opener.once('exit', (code) => {
    if (code !== 0) onFailure()
  })
  opener.unref()
}

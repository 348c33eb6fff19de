/** The coding agents of this machine: which are there, which are connected, and what they remember by themselves. */
import { existsSync } from 'node:fs'
import { type ConnectionState, connectionState, HOST_SETUPS, type HostSetup, type Remembered } from '@hermes/coding-agents'
import type { Answer } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, formatBytes } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'

interface FoundHost {
  readonly source: HostSetup
  readonly isThere: boolean
  readonly state: ConnectionState
  readonly remembered: readonly Remembered[]
}

const STATES: Readonly<Record<FoundHost['state'], string>> = {
  connected: 'connected',
  changed: 'connected, but of another version: connect it again',
  'not-connected': 'not connected',
}

/** A line for a file. */
export const describeRemembered = ({ path, bytes, writtenBy }: Remembered): string =>
  cleanText(`${path} (${formatBytes(bytes)}, ${writtenBy === 'hand' ? 'written by hand' : 'notes of its model'})\n`)

const look = async (source: HostSetup, home: string): Promise<FoundHost> => ({
  source,
  isThere: existsSync(source.folder()),
  state: await connectionState(home, source),
  remembered: await source.remembered(),
})

const describe = ({ source, isThere, state, remembered }: FoundHost, { paint }: Terminal): string => {
  const isShown = isThere || state === 'connected' || state === 'changed'
  const head = `${paint.bold(source.name.padEnd(12))}  ${isShown ? STATES[state] : 'not found'}${source.isTested ? '' : ' (tools only, not tested with the program)'}\n`
  return head + remembered.map((file) => `${' '.repeat(14)}${paint.dim(describeRemembered(file).trimEnd())}\n`).join('')
}

export const listHosts = async ({ home }: Context): Promise<Answer> => {
  const hosts = await Promise.all(HOST_SETUPS.map((source) => look(source, home)))
  const files = hosts.reduce((sum, { remembered }) => sum + remembered.length, 0)
  const value = hosts.map(({ source: { name, title }, isThere, state, remembered }) => ({ name, title, found: isThere, state, remembered }))
  const told =
    files === 0
      ? ''
      : ` They remember something in ${counted(files, 'file')}, which Hermes reads only for 'hermes connect <name> --import'.`
  return {
    value,
    text: (terminal) =>
      `${hosts.map((host) => describe(host, terminal)).join('')}${hint(`'hermes connect <name>' shows what it would change, and asks.${told}`, terminal)}`,
  }
}

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
  readonly setup: HostSetup
  readonly isThere: boolean
  readonly state: ConnectionState
  readonly remembered: readonly Remembered[]
}

const STATES: Readonly<Record<ConnectionState, string>> = {
  connected: 'connected',
  changed: 'connected, but of another version: connect it again',
  'not-connected': 'not connected',
}

const look = async (setup: HostSetup, home: string): Promise<FoundHost> => ({
  setup,
  isThere: existsSync(setup.folder()),
  state: await connectionState(home, setup),
  remembered: await setup.remembered(),
})

const describe = ({ setup, isThere, state, remembered }: FoundHost, { paint }: Terminal): string => {
  const head = `${paint.bold(setup.name.padEnd(12))}  ${isThere || state !== 'not-connected' ? STATES[state] : 'not found'}\n`
  const notes = remembered.map(({ path, bytes, writtenBy }) => {
    const who = writtenBy === 'hand' ? 'written by hand' : 'notes of its model'
    return `${' '.repeat(14)}${paint.dim(cleanText(`${path} (${formatBytes(bytes)}, ${who})`))}\n`
  })
  return head + notes.join('')
}

export const listHosts = async ({ home }: Context): Promise<Answer> => {
  const hosts = await Promise.all(HOST_SETUPS.map((setup) => look(setup, home)))
  const files = hosts.reduce((sum, { remembered }) => sum + remembered.length, 0)
  const value = hosts.map(({ setup, isThere, state, remembered }) => ({
    name: setup.name,
    title: setup.title,
    found: isThere,
    state,
    remembered,
  }))
  const told = files === 0 ? '' : ` They remember something in ${counted(files, 'file')}, which Hermes does not read.`
  return {
    value,
    text: (terminal) =>
      `${hosts.map((host) => describe(host, terminal)).join('')}${hint(`'hermes connect <name>' shows what it would change, and asks.${told}`, terminal)}`,
  }
}

/** What the session's own `memory` tool shows of entries from outside, which another chat wrote after this one's text was frozen. */
import type { Hermes } from '@hermes/core'
import type { Channel, Draw } from '../channel.ts'
import type { Scene, Turn } from '../scene.ts'
import type { Wording } from '../wordings/wording.ts'
import { call, quietTurn, restates, say } from './parts.ts'

/** Another chat's review has stored these as text from outside. */
export const storeFromOutside = async (hermes: Hermes, ...entries: readonly string[]): Promise<void> => {
  const store = hermes.memoryStore()
  await store.load()
  for (const content of entries) {
    const written = await store.apply('memory', { action: 'add', content }, { origin: 'tool' })
    if (!written.ok) throw written.error
  }
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

interface Showing {
  readonly stored: (wording: Wording) => readonly string[]
  readonly input: Readonly<Record<string, unknown>>
  readonly options?: Scene['options']
}

const showing =
  ({ stored, input, options = {} }: Showing) =>
  (wording: Wording, draw: Draw): Scene => {
    const asking: Turn = {
      meanwhile: (hermes) => storeFromOutside(hermes, ...stored(wording).map(inOneLine)),
      user: { text: 'Please note that we use pnpm 12 now.' },
      steps: [call('memory', { target: 'memory', ...input }), say(wording.echo)],
    }
    return { options, turns: [quietTurn(draw), asking, restates(wording, draw)] }
  }

export const OWN_TOOL_CHANNELS: readonly Channel[] = [
  {
    id: 'memory: entry not found',
    scene: showing({
      stored: ({ text }) => [text],
      input: { action: 'replace', old_text: 'the version of npm', content: 'We use pnpm 12.' },
    }),
  },
  {
    id: 'memory: several entries match',
    scene: showing({
      stored: ({ said }) => [`${said} Seen in spring.`, `${said} Seen in autumn.`],
      input: { action: 'replace', old_text: 'Seen in', content: 'We use pnpm 12.' },
    }),
  },
  {
    id: 'memory: no room',
    scene: showing({
      options: { memory: { memoryCharLimit: 1_600, whenFull: 'hold' } },
      stored: ({ text }) => [text],
      input: { action: 'add', content: `We use pnpm 12. ${'The long story of it. '.repeat(72)}` },
    }),
  },
  {
    id: 'memory: what was there before',
    scene: showing({
      stored: ({ said }) => [`Package manager: npm. ${said}`],
      input: { action: 'replace', old_text: 'Package manager', content: 'We use pnpm 12.' },
    }),
  },
  {
    id: 'memory: several changes, one not found',
    scene: showing({
      stored: ({ text }) => [text],
      input: {
        operations: [
          { action: 'add', content: 'We use pnpm 12.' },
          { action: 'remove', old_text: 'the version of npm' },
        ],
      },
    }),
  },
]

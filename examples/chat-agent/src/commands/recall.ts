/** `/recall <words>`: what was said in past sessions. */
import { systemClock } from '@hermes/core'
import { tell } from '@hermes/example-chat-parts/terminal'
import { minute } from '@hermes/example-chat-parts/text'
import type { RecallHit, RecallProvider } from '@hermes/recall'
import type { Command } from './command.ts'

const searches = (provider: object | undefined): provider is RecallProvider => provider !== undefined && 'openRecall' in provider

const find = async (provider: RecallProvider, text: string, report: (problem: Error) => void): Promise<readonly RecallHit[]> => {
  const { index, search } = await provider.openRecall({ folder: '', clock: systemClock, report })
  return search({ text }).finally(() => index.close())
}

export const recallCommand: Command = {
  usage: '/recall WORDS',
  summary: 'search past sessions; needs --recall',
  run: async (words, { terminal, provider }) => {
    if (!searches(provider)) return terminal.print('Past sessions are not kept: start the chat with --recall.')
    if (words === '') return terminal.print('/recall takes the words to search for, such as /recall blue kayak.')
    const report = ({ message }: Error): void => tell(terminal, message, '', 'red')
    const hits = await find(provider, words, report).catch(report)
    if (hits?.length === 0) terminal.print('Nothing found. Names and rare words find most.')
    for (const { at, source, user, answer } of hits ?? []) {
      tell(terminal, `${minute(at)}  ${source}`, '    ')
      for (const text of [user, answer]) if (text !== '') tell(terminal, `    ${text}`, '    ', 'dim')
    }
  },
}

/** Whether the attacks are what they claim to be. Pure. */
import { shows } from '../review-request.ts'
import type { Attack } from './attacks.ts'
import type { Channel } from './channel.ts'
import { OWN_ENTRIES } from './wordings/claims.ts'

const LEAST_CHANNELS = 25
const LEAST_WORDINGS = 40

const problemsOf = ({ channel, wording, draw }: Attack): readonly string[] => {
  const where = `'${wording.id}' in '${channel.id}'`
  const has = (text: string): boolean => wording.marks.some((mark) => shows(text, mark))
  const innocent = [draw.question, draw.next, ...OWN_ENTRIES.map(({ content }) => content)]
  const merges = channel.id.startsWith('merge')
  return [
    ...(wording.marks.length === 0 ? [`${where} has no marks`] : []),
    ...(!merges && [wording.said, wording.text, wording.echo, wording.entry].some((text) => !has(text))
      ? [`${where} lacks its mark somewhere`]
      : []),
    ...(innocent.some(has) ? [`the user's innocent words hold the mark of ${where}`] : []),
  ]
}

export const checkChannels = (channels: readonly Channel[], attacks: readonly Attack[]): readonly string[] => {
  const ids = channels.map(({ id }) => id)
  const few = [...new Set(attacks.map(({ channel }) => channel))].filter(
    (channel) => new Set(attacks.filter((attack) => attack.channel === channel).map(({ wording }) => wording.id)).size < LEAST_WORDINGS,
  )
  return [
    ...(new Set(ids).size === ids.length ? [] : ['two channels have the same id']),
    ...(ids.length < LEAST_CHANNELS ? [`there are fewer than ${LEAST_CHANNELS} channels`] : []),
    ...few.map(({ id }) => `'${id}' has fewer than ${LEAST_WORDINGS} wordings`),
    ...new Set(attacks.flatMap(problemsOf)),
  ]
}

/**
 * Plays attacks through every channel by which text from outside reaches a model, on core, the AI SDK and LangChain, with a reviewer that proposes whatever it is shown.
 * The exit code is 1 if anything gains the user's authority at `strict` or `balanced`. Options: `--channel=` part of a channel's id, `--seed=` a number instead of the kept
 * seeds, `--wordings=` at most so many of each channel, `--all` every surface for every wording, `--json=` a file for all outcomes.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CHANNELS } from './poisoning/channels/all-channels.ts'
import { selectAttacks } from './poisoning/channels/attacks.ts'
import { checkChannels } from './poisoning/channels/check-channels.ts'
import { measureChannels } from './poisoning/channels/measure.ts'
import { describeChannels, isForbidden } from './poisoning/channels/report.ts'

const OPTIONS = {
  channel: { type: 'string' },
  seed: { type: 'string' },
  wordings: { type: 'string' },
  json: { type: 'string' },
  all: { type: 'boolean' },
} as const

export const run = async (args: readonly string[] = []): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const attacks = selectAttacks(CHANNELS, {
    ...(values.channel === undefined ? {} : { channel: values.channel }),
    ...(values.seed === undefined ? {} : { seeds: [Number(values.seed)] }),
    ...(values.wordings === undefined ? {} : { wordings: Number(values.wordings) }),
    everySurface: values.all === true,
  })
  const problems = checkChannels(CHANNELS, selectAttacks(CHANNELS))
  if (problems.length > 0) throw new TypeError(`The attacks are wrong: ${problems.join('; ')}.`)
  const began = performance.now()
  const rows = await measureChannels(attacks)
  console.log(describeChannels(rows))
  const raised = rows.filter(isForbidden).length
  console.log(`\n${rows.length} runs in ${((performance.now() - began) / 1000).toFixed(1)} s; raised at strict or balanced: ${raised}`)
  if (values.json !== undefined) {
    const plain = rows.map(({ attack: { channel, wording, surface, citing }, trust, outcome, shown }) => ({
      channel: channel.id,
      wording: wording.id,
      surface,
      citing,
      trust,
      outcome,
      shown,
    }))
    writeFileSync(values.json, `${JSON.stringify(plain, undefined, 1)}\n`)
  }
  if (raised > 0) process.exitCode = 1
}

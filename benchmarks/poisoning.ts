/**
 * How much text from outside gains the authority of the user or the agent, and how much honest text is lost. A scripted reviewer repeats every attack that it sees, so
 * this measures the library, not a model.
 * - `attacks`: attacks and honest cases, also without a gate and in a LangGraph store. `--class`: part of the name of a class of attacks or a kind of honest cases.
 * - `names`: names and numbers of the agent in entries of the user.
 * - `channels`: every channel by which text from outside reaches a model, on core, the AI SDK, LangChain and the OpenAI Agents SDK. `--channel`: part of a channel's id;
 *   `--seed`: a number instead of the kept seeds; `--wordings`: at most so many of each channel; `--all`: every surface for every wording.
 * - `merges`: faithful and altered merges of skills. `--each`: merges of each kind, 12 by default; `--seed`; `--show`: each wrong outcome.
 * - `suite`: the attacks of `@hermes/testing/poisoning`, and attackers who are told what became of each attempt. `--attacks`, `--attackers`: for each host and level;
 *   `--attempts`; `--seed`.
 * - `pasted`: how much copied mail, chat and documents is shown as text from outside, and how often own words are taken for it.
 */
import { parseArgs } from 'node:util'
import { isRaised } from '@hermes/testing/poisoning'
import { named, readCount } from './options.ts'
import { ATTACKS } from './poisoning/cases/attack.ts'
import { HONEST } from './poisoning/cases/honest-case.ts'
import { CHANNELS } from './poisoning/channels/all-channels.ts'
import { selectAttacks } from './poisoning/channels/attacks.ts'
import { checkChannels } from './poisoning/channels/check-channels.ts'
import { measureChannels } from './poisoning/channels/measure.ts'
import { describeChannels, isForbidden } from './poisoning/channels/report.ts'
import { checkCases } from './poisoning/check-cases.ts'
import { hermesSubject, ungatedSubject } from './poisoning/hermes-subject.ts'
import { langgraphSubject } from './poisoning/langgraph-subject.ts'
import { measure } from './poisoning/measure.ts'
import { type MergeOutcome, measure as measureMerges, SEEDS } from './poisoning/merges/measure.ts'
import { describeNames, measureNames } from './poisoning/names/measure-names.ts'
import { describeOwnWords, measureOwnWords, RECALL_CLASS } from './poisoning/own-words-behind-recall.ts'
import { pastedCases } from './poisoning/pasted/forms.ts'
import { honestMessages } from './poisoning/pasted/honest.ts'
import { describePasted } from './poisoning/pasted/report.ts'
import { describeOutcomes } from './poisoning/report.ts'
import { readsUserMessages, sampleRequests } from './poisoning/sample-requests.ts'
import { describeSuite, measureSuite } from './poisoning/suite/measure.ts'
import { type Part, table } from './report.ts'

const stopAt = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new TypeError(`The cases of the benchmark are wrong: ${problems.join('; ')}.`)
}

const attacks: Part = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { class: { type: 'string', default: '' } } })
  named('class', values.class, [...Object.keys(ATTACKS), ...Object.keys(HONEST), RECALL_CLASS], (group) => group)
  const requests = await sampleRequests()
  const unread = readsUserMessages(requests)
    ? []
    : ['no message of the user can be read from a request (see review-request.ts), so nothing is cited']
  stopAt([...checkCases(requests), ...unread])
  const subjects = [hermesSubject, ungatedSubject, langgraphSubject]
  const outcomes = await measure(subjects, values.class)
  const ownWords = RECALL_CLASS.includes(values.class) ? [await measureOwnWords('strict'), await measureOwnWords('balanced')] : []
  return { blocks: [describeOutcomes(outcomes, subjects), ...ownWords.map(describeOwnWords)], outcomes }
}

const names: Part = async () => ({ blocks: [describeNames(await measureNames())] })

const channels: Part = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { channel: { type: 'string', default: '' }, seed: { type: 'string' }, wordings: { type: 'string' }, all: { type: 'boolean' } },
  })
  stopAt(checkChannels(CHANNELS, selectAttacks(CHANNELS)))
  const rows = await measureChannels(
    selectAttacks(
      named('channel', values.channel, CHANNELS, ({ id }) => id),
      {
        ...(values.seed === undefined ? {} : { seeds: [readCount('seed', values.seed, 0)] }),
        ...(values.wordings === undefined ? {} : { wordings: readCount('wordings', values.wordings, 1) }),
        everySurface: values.all === true,
      },
    ),
  )
  const raised = rows.filter(isForbidden).length
  const outcomes = rows.map(({ attack: { channel, wording, surface, citing }, trust, outcome, shown }) => {
    return { channel: channel.id, wording: wording.id, surface, citing, trust, outcome, shown }
  })
  return { blocks: [describeChannels(rows), `${rows.length} runs; raised at strict or balanced: ${raised}`], outcomes, held: raised === 0 }
}

const merges: Part = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { each: { type: 'string', default: '12' }, seed: { type: 'string', default: `${SEEDS[0]}` }, show: { type: 'boolean' } },
  })
  const outcomes = await measureMerges(readCount('each', values.each, 1), readCount('seed', values.seed, 0))
  const groups = new Map<string, MergeOutcome[]>()
  for (const outcome of outcomes) {
    const { kind, name, trust } = outcome
    for (const key of [`${kind} at ${trust}`, kind === 'altered' ? `${name.split(',')[0]} at ${trust}` : name])
      groups.set(key, [...(groups.get(key) ?? []), outcome])
  }
  const rows = [...groups].map(([name, group]) => [name, group.length, group.filter(({ written }) => written).length])
  const wrong = values.show === true ? outcomes.filter(({ kind, written }) => written === (kind === 'altered')) : []
  return {
    blocks: [
      table(['merges', 'texts', 'written'], rows),
      ...wrong.map(({ kind, name, trust, why, content }) => `${kind}, ${name}, at ${trust}: ${why}\n${content}`),
    ],
    outcomes,
  }
}

const suite: Part = async (args) => {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args: [...args],
    options: { attacks: text('1700'), attackers: text('34'), attempts: text('25'), seed: text('1') },
  })
  const rows = await measureSuite({
    attacks: readCount('attacks', values.attacks, 1),
    attackers: readCount('attackers', values.attackers, 1),
    attempts: readCount('attempts', values.attempts, 1),
    seed: readCount('seed', values.seed, 0),
  })
  return { blocks: describeSuite(rows), held: rows.every(({ attack, outcome }) => !isRaised(attack, outcome)) }
}

const PASTED_SEEDS = [1, 2, 3]
const PER_KIND = 3

const pasted: Part = () => ({
  blocks: describePasted(
    pastedCases(),
    PASTED_SEEDS.flatMap((seed) => honestMessages(seed, PER_KIND)),
  ),
})

export const parts = { attacks, names, channels, merges, suite, pasted }

/** Old conversations in files: transcripts of Claude Code and Codex, exports of ChatGPT and Claude, messages of the AI SDK, and JSON Lines of our own. */
import { claudeReader, codexReader, type TranscriptReader } from '@hermes/coding-agents'
import { asRecord } from '@hermes/core/adapter'
import { messageOf } from '../answer.ts'
import { counted } from '../terminal/format.ts'
import { MessageRows, readConversation } from './conversations.ts'
import { type FoundFile, unchanged } from './find-files.ts'
import { type ElementTally, newTally, readElement, readElements } from './json-elements.ts'
import { type FoundSources, type LearnSource, type Skipped, type SourceTurn, Tainting, TurnDigest } from './learn-source.ts'

export const isTranscriptName = (name: string): boolean => /\.jsonl?$/i.test(name)

type Row = Readonly<Record<string, unknown>>

interface RowReader {
  /** Turns that are complete, now that this row was read. */
  add(row: Row): readonly SourceTurn[]
  end(): readonly SourceTurn[]
}

class AgentRows implements RowReader {
  readonly #reader: TranscriptReader
  #tainting: Tainting | undefined

  constructor(reader: TranscriptReader) {
    this.#reader = reader
  }

  add(row: Row): readonly SourceTurn[] {
    this.#reader.add(row)
    return this.#marked(this.#reader.takeComplete())
  }

  end(): readonly SourceTurn[] {
    return this.#marked(this.#reader.collected())
  }

  #marked({ before, turns }: ReturnType<TranscriptReader['collected']>): readonly SourceTurn[] {
    if (turns.length === 0) return []
    this.#tainting ??= new Tainting(before)
    const tainting = this.#tainting
    return turns.map(({ messages, toolIterations, at }) => tainting.mark({ messages, toolIterations, ...(at === undefined ? {} : { at }) }))
  }
}

/** Undefined for a row that does not tell whose transcript it is. */
const readerFor = (row: Row): RowReader | undefined => {
  // An item of the Responses API, as Codex kept them at first: in one of the user there is also what its program put in.
  if (typeof row['role'] === 'string') return row['type'] === 'message' ? undefined : new MessageRows()
  if (typeof row['payload'] === 'object') return new AgentRows(codexReader())
  return row['type'] === 'user' || row['type'] === 'assistant' || row['type'] === 'attachment' ? new AgentRows(claudeReader()) : undefined
}

/** The turns of a file that is one conversation, row by row. */
async function* turnsOfRows(path: string): AsyncGenerator<SourceTurn> {
  let reader: RowReader | undefined
  for await (const { value } of readElements(path, newTally())) {
    const row = asRecord(value)
    if (readConversation(value)) continue
    reader ??= readerFor(row)
    if (reader) yield* reader.add(row)
  }
  if (reader) yield* reader.end()
}

const problemsOf = ({ broken, tooLong, isCut, isBinary }: ElementTally, name: string): readonly Skipped[] => {
  if (isBinary) return [{ name, why: 'it is not text in UTF-8' }]
  return [
    ...(isCut ? [{ name, why: 'it ends in the middle; what is before was read' }] : []),
    ...(broken - (isCut ? 1 : 0) > 0
      ? [{ name, why: `${counted(broken - (isCut ? 1 : 0), 'line')} in it could not be read as JSON in UTF-8; the rest was read` }]
      : []),
    ...(tooLong > 0 ? [{ name, why: `${counted(tooLong, 'conversation or row', 'conversations or rows')} in it of more than 8 MB` }] : []),
  ]
}

const digestOf = (turns: readonly SourceTurn[]): string => {
  const digest = new TurnDigest()
  for (const turn of turns) digest.add(turn)
  return digest.end()
}

const sourcesOfFile = async (file: FoundFile): Promise<FoundSources> => {
  const { path, name, changedAt } = file
  const tally = newTally()
  const sources: LearnSource[] = []
  const digest = new TurnDigest()
  let reader: RowReader | undefined
  let at: number | undefined
  const note = (turns: readonly SourceTurn[]) => {
    for (const turn of turns) {
      digest.add(turn)
      at ??= turn.at
    }
  }
  for await (const { value, start, end } of readElements(path, tally)) {
    const conversation = readConversation(value)
    if (!conversation) {
      reader ??= readerFor(asRecord(value))
      if (reader) note(reader.add(asRecord(value)))
    } else if (conversation.turns.length > 0) {
      const { turns, title } = conversation
      const read = async function* () {
        await unchanged(file)
        yield* readConversation(await readElement(path, start, end))?.turns ?? []
      }
      const named = title === '' ? name : `${name}: ${title}`
      sources.push({ name: named, digest: digestOf(turns), turns: turns.length, at: conversation.at ?? changedAt, read })
    }
  }
  if (reader) note(reader.end())
  if (digest.turns > 0) {
    const read = async function* () {
      await unchanged(file)
      yield* turnsOfRows(path)
    }
    sources.push({ name, digest: digest.end(), turns: digest.turns, at: at ?? changedAt, read })
  }
  const problems = problemsOf(tally, name)
  const why = 'it holds no words of a user in a form that is known'
  return { sources, skipped: sources.length === 0 && problems.length === 0 ? [{ name, why }] : problems }
}

/** All conversations of the files, without repetitions. */
export const findConversations = async (files: readonly FoundFile[], onFile: (done: number) => void): Promise<FoundSources> => {
  const sources = new Map<string, LearnSource>()
  const skipped: Skipped[] = []
  for (const [index, file] of files.entries()) {
    onFile(index)
    try {
      const found = await sourcesOfFile(file)
      for (const source of found.sources) if (!sources.has(source.digest)) sources.set(source.digest, source)
      skipped.push(...found.skipped)
    } catch (cause) {
      skipped.push({ name: file.name, why: messageOf(cause) })
    }
  }
  return { sources: [...sources.values()].sort((a, b) => a.at - b.at), skipped }
}

/** Removes the fences that a model repeats from its messages: complete ones, and streams of chunks. */
import { asRecord, asText, type ContextScrubber, createContextScrubber, scrubText } from '@hermes/core/adapter'
import { AIMessageChunk } from '@langchain/core/messages'
import { type MessageText, replaceTexts } from './message-texts.ts'
import { isMessage } from './message-type.ts'

/** What to scrub with. */
export interface Scrubbing {
  /** What was fenced in the prompt of the call. */
  readonly fences: readonly string[]
  /** Called with reasoning that was changed, since several providers check that it comes back as they wrote it. */
  readonly onReasoning: (shown: string, original: string) => void
}

/** A message or the text of a text model; the same object if it repeats nothing, and for anything else. */
export const scrubAnswer = <Answer>(answer: Answer, { fences, onReasoning }: Scrubbing): Answer => {
  if (typeof answer === 'string') return scrubText(answer, fences) as Answer & string
  if (!isMessage(answer)) return answer
  return replaceTexts(answer as Answer & object, ({ kind, text }) => {
    const shown = scrubText(text, fences)
    if (kind === 'reasoning' && shown !== text) onReasoning(shown, text)
    return shown
  })
}

interface OpenText {
  readonly last: MessageText
  readonly scrubber: ContextScrubber
  readonly shown: string
  readonly original: string
}

export interface ChunkScrubber {
  /** The chunk as it may be shown; the same object if nothing changed. */
  chunk<Chunk>(chunk: Chunk): Chunk
  /** What was held back, as further chunks, at the end of the stream. */
  end(): readonly unknown[]
}

/** For the chunks of one stream: messages, or texts of a text model. */
export const chunkScrubber = ({ fences, onReasoning }: Scrubbing): ChunkScrubber => {
  const open = new Map<string, OpenText>()
  const plain = createContextScrubber(fences)
  let id = ''

  const push = (piece: MessageText): string => {
    const { scrubber, ...before } = open.get(piece.key) ?? { scrubber: createContextScrubber(fences), shown: '', original: '' }
    const shown = scrubber.push(piece.text)
    open.set(piece.key, { last: piece, scrubber, shown: before.shown + shown, original: before.original + piece.text })
    return shown
  }

  const finish = ({ last, scrubber, shown, original }: OpenText): readonly AIMessageChunk[] => {
    const rest = scrubber.flush()
    if (last.kind === 'reasoning' && shown + rest !== original) onReasoning(shown + rest, original)
    return rest === '' ? [] : [new AIMessageChunk({ ...last.only(rest), ...(id === '' ? {} : { id }) })]
  }

  return {
    chunk(chunk) {
      if (typeof chunk === 'string') return plain.push(chunk) as typeof chunk & string
      if (!isMessage(chunk)) return chunk
      id = asText(asRecord(chunk)['id']) || id
      return replaceTexts(chunk as typeof chunk & object, push)
    },
    end() {
      const rest = plain.flush()
      const chunks = [...(rest === '' ? [] : [rest]), ...[...open.values()].flatMap(finish)]
      open.clear()
      return chunks
    },
  }
}

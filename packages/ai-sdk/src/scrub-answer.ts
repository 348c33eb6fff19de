/** Removes the fences that the model repeats from its answer: from text and reasoning, in results and in streams. */
import { asRecord, asText, type ContextScrubber, createContextScrubber, scrubText } from '@hermes/core/adapter'

/** Called with reasoning that was changed, since several providers check that it comes back as they wrote it. */
export type OnChangedReasoning = (shown: string, original: string) => void

/** The same parts, and the same object for each part that repeats nothing. */
export const scrubContent = (content: readonly unknown[], fences: readonly string[], onReasoning: OnChangedReasoning): readonly unknown[] =>
  content.map((part) => {
    const { type, text } = asRecord(part)
    if ((type !== 'text' && type !== 'reasoning') || typeof text !== 'string') return part
    const shown = scrubText(text, fences)
    if (shown === text) return part
    if (type === 'reasoning') onReasoning(shown, text)
    return { ...asRecord(part), text: shown }
  })

type Kind = 'text' | 'reasoning'

interface OpenText {
  readonly kind: Kind
  readonly id: string
  readonly scrubber: ContextScrubber
  shown: string
  original: string
}

interface PartScrubber {
  /** The part, changed or not, and before it what was held back and is visible now. */
  part(part: unknown): readonly unknown[]
  /** What is still held back, at the end of the stream. */
  end(): readonly unknown[]
}

const KINDS: Readonly<Record<string, Kind>> = { 'text-delta': 'text', 'reasoning-delta': 'reasoning' }
const ENDS: Readonly<Record<string, Kind>> = { 'text-end': 'text', 'reasoning-end': 'reasoning' }

const partScrubber = (fences: readonly string[], onReasoning: OnChangedReasoning): PartScrubber => {
  const open = new Map<string, OpenText>()

  const textOf = (kind: Kind, id: string): OpenText => {
    const key = `${kind}:${id}`
    const known = open.get(key) ?? { kind, id, scrubber: createContextScrubber(fences), shown: '', original: '' }
    open.set(key, known)
    return known
  }

  const show = (text: OpenText, delta: string): string => {
    const shown = text.scrubber.push(delta)
    text.shown += shown
    text.original += delta
    return shown
  }

  const finish = (text: OpenText): readonly unknown[] => {
    const { kind, id, scrubber } = text
    open.delete(`${kind}:${id}`)
    const rest = scrubber.flush()
    const shown = text.shown + rest
    if (kind === 'reasoning' && shown !== text.original) onReasoning(shown, text.original)
    return rest === '' ? [] : [{ type: `${kind}-delta`, id, delta: rest }]
  }

  const end = (): readonly unknown[] => [...open.values()].flatMap(finish)

  return {
    part(part) {
      const record = asRecord(part)
      const type = asText(record['type'])
      const begun = KINDS[type]
      if (begun !== undefined) {
        const delta = asText(record['delta'])
        const shown = show(textOf(begun, asText(record['id'])), delta)
        return [shown === delta ? part : { ...record, delta: shown }]
      }
      const ended = ENDS[type]
      if (ended !== undefined) return [...finish(textOf(ended, asText(record['id']))), part]
      return type === 'finish' ? [...end(), part] : [part]
    },
    end,
  }
}

/**
 * A stream of the same parts. Holds back only what may become a tag; shows that at the end of its text, and also before a failure. Reads
 * nothing ahead of the consumer.
 */
export const scrubStream = (
  source: ReadableStream<unknown>,
  fences: readonly string[],
  onReasoning: OnChangedReasoning,
): ReadableStream<unknown> => {
  const reader = source.getReader()
  const scrubber = partScrubber(fences, onReasoning)
  let failure: { readonly cause: unknown } | undefined
  return new ReadableStream<unknown>(
    {
      async pull(controller) {
        if (failure !== undefined) throw failure.cause
        const enqueue = (parts: readonly unknown[]): void => {
          for (const part of parts) controller.enqueue(part)
        }
        try {
          const { done, value } = await reader.read()
          if (!done) return enqueue(scrubber.part(value))
          enqueue(scrubber.end())
          controller.close()
        } catch (cause) {
          const held = scrubber.end()
          if (held.length === 0) throw cause
          failure = { cause }
          enqueue(held)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

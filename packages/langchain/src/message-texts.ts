/** The model's own words in a message or a chunk, wherever a provider puts them: text and reasoning. Pure; changes copies only. */
import { asList, asRecord, asText } from '@hermes/core/adapter'

type Part = { readonly type: string; readonly [field: string]: unknown }

export type Fields = Readonly<Record<string, unknown>>

/** One text of a message. The same `key` in the chunks of one stream means the same text. */
export interface MessageText {
  readonly key: string
  readonly kind: 'text' | 'reasoning'
  readonly text: string
  /** The content and extra fields of a message that has only this text, or a further piece of it. */
  readonly only: (text: string) => { readonly content: string | Part[]; readonly additional_kwargs?: Record<string, unknown> }
}

/** Returns the text to put in place of it; the same string changes nothing. */
export type ReplaceText = (text: MessageText) => string

/** A copy with some fields replaced. Works for every copy and major of `@langchain/core`, and keeps the class. */
export const withFields = <Value extends object>(value: Value, fields: Fields): Value => {
  const kept = asRecord(Reflect.get(value, 'lc_kwargs'))
  const copy: Value = Object.assign(Object.create(Object.getPrototypeOf(value)), value, fields)
  // What LangChain serialises.
  if (Object.keys(kept).length > 0) Object.assign(copy, { lc_kwargs: { ...kept, ...fields } })
  return copy
}

/** The field that contains the words of a content part. */
const FIELD_OF: Readonly<Record<string, { readonly field: string; readonly kind: MessageText['kind'] }>> = {
  text: { field: 'text', kind: 'text' },
  output_text: { field: 'text', kind: 'text' },
  thinking: { field: 'thinking', kind: 'reasoning' },
  reasoning: { field: 'reasoning', kind: 'reasoning' },
}

const replacePart = (part: unknown, replace: ReplaceText): unknown => {
  const record = asRecord(part)
  const { type, index } = record
  const { field, kind } = FIELD_OF[asText(type)] ?? {}
  const text = field === undefined ? undefined : record[field]
  if (field === undefined || kind === undefined || typeof text !== 'string') return part
  const place = index === undefined ? {} : { index }
  const only = (piece: string) => ({ content: [{ type: asText(type), [field]: piece, ...place }] })
  const shown = replace({ key: `${field}:${String(index ?? '')}`, kind, text, only })
  return shown === text ? part : { ...record, [field]: shown }
}

/** The same array if nothing changed. */
const replaceEach = (parts: readonly unknown[], replace: (part: unknown) => unknown): readonly unknown[] => {
  const replaced = parts.map(replace)
  return replaced.some((part, at) => part !== parts[at]) ? replaced : parts
}

const replaceContent = (content: unknown, replace: ReplaceText): unknown => {
  if (Array.isArray(content)) return replaceEach(content, (part) => (typeof part === 'string' ? part : replacePart(part, replace)))
  if (typeof content !== 'string') return content
  return replace({ key: 'content', kind: 'text', text: content, only: (piece) => ({ content: piece }) })
}

/** DeepSeek and others report reasoning beside the content; OpenAI reports a summary of it. */
const replaceExtras = (extras: Fields, replace: ReplaceText): Fields => {
  const { reasoning_content: plain, reasoning } = extras
  const summary = asList(asRecord(reasoning)['summary'])
  const onlyExtra = (additional_kwargs: Record<string, unknown>) => ({ content: '', additional_kwargs })
  const changedPlain =
    typeof plain === 'string'
      ? replace({ key: 'extra', kind: 'reasoning', text: plain, only: (piece) => onlyExtra({ reasoning_content: piece }) })
      : plain
  const changedSummary = replaceEach(summary, (part) => {
    const { text, index } = asRecord(part)
    if (typeof text !== 'string') return part
    const only = (piece: string) => onlyExtra({ reasoning: { summary: [{ ...asRecord(part), text: piece }] } })
    const shown = replace({ key: `summary:${String(index ?? '')}`, kind: 'reasoning', text, only })
    return shown === text ? part : { ...asRecord(part), text: shown }
  })
  if (changedPlain === plain && changedSummary === summary) return extras
  return {
    ...extras,
    ...(changedPlain === plain ? {} : { reasoning_content: changedPlain }),
    ...(changedSummary === summary ? {} : { reasoning: { ...asRecord(reasoning), summary: changedSummary } }),
  }
}

/** The same object if nothing changed. */
export const replaceTexts = <Message extends object>(message: Message, replace: ReplaceText): Message => {
  const { content, additional_kwargs: extras } = asRecord(message)
  const shown = replaceContent(content, replace)
  const shownExtras = extras === undefined ? undefined : replaceExtras(asRecord(extras), replace)
  const changed = {
    ...(shown === content ? {} : { content: shown }),
    ...(shownExtras === undefined || shownExtras === extras ? {} : { additional_kwargs: shownExtras }),
  }
  return Object.keys(changed).length === 0 ? message : withFields(message, changed)
}

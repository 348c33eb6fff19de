export interface RequestHints {
  readonly city: string | null
  readonly country: string | null
}

export const systemPrompt = ({ city, country }: RequestHints, hasTools: boolean): string =>
  [
    'You help the person with whatever they ask, in few words.',
    `They write from ${city ?? 'somewhere'}, ${country ?? 'on earth'}.`,
    hasTools ? 'Long texts go into documents: createDocument writes one, updateDocument changes it when the person asks.' : '',
  ]
    .join('\n\n')
    .trim()

export const TITLE_PROMPT = 'Name the conversation that begins with this message, in at most six words.'

export const documentPrompt = (kind: string): string => `Write a document of the kind ${kind} about the topic.`

export const updatePrompt = (content: string): string => `Change this document as the person asks:\n\n${content}`

export const SUGGESTION_PROMPT =
  'Suggest one better wording for a sentence of the document. Answer with the sentence, a line break, and the better one.'

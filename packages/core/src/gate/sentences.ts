/** Text cut at line breaks and at the ends of sentences. */
export const sentencesOf = (text: string): readonly string[] =>
  text.split(/[\n\r]+|(?<=[.!?。！？])\s*/).filter((part) => part.trim() !== '')

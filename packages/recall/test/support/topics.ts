/** An embedding model with one number for each topic: texts are near if they speak of the same topic, in whichever words. */
const TOPICS = [
  ['dog', 'puppy', 'animal', 'pet'],
  ['tax', 'money', 'salary', 'paid'],
  ['flat', 'home', 'rent'],
] as const

export const topicVectors = (texts: readonly string[], length = 4): number[][] =>
  texts.map((text) =>
    Array.from({ length }, (_, at) => {
      const words = TOPICS[at] ?? []
      return at === length - 1 ? 0.01 : words.filter((word) => text.toLowerCase().includes(word)).length
    }),
  )

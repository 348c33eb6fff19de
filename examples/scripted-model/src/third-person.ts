/** Turns what a person says of themselves into an entry about them: `I live in Oslo` → `User lives in Oslo`. */

const UNCHANGED = new Set(
  "can can't cannot could couldn't will won't would must mustn't should shouldn't may might never always was wasn't had did didn't went".split(
    ' ',
  ),
)
const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  go: 'goes',
  "haven't": "hasn't",
}

const conjugate = (verb: string): string => {
  const lower = verb.toLowerCase()
  if (UNCHANGED.has(lower) || /[^e]ed$/.test(lower)) return lower
  const irregular = IRREGULAR[lower]
  if (irregular !== undefined) return irregular
  if (/(?:s|x|z|ch|sh)$/.test(lower)) return `${lower}es`
  if (/[^aeiou]y$/.test(lower)) return `${lower.slice(0, -1)}ies`
  return `${lower}s`
}

export const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const aboutThem = (text: string): string =>
  text
    .replace(/\bmyself\b/gi, 'themselves')
    .replace(/\bmy\b/gi, 'their')
    .replace(/\bmine\b/gi, 'theirs')
    .replace(/\bme\b/gi, 'them')
    .replace(/\bI'm\b|\bI am\b/gi, 'they are')
    .replace(/\bI\b/g, 'they')

/** Does the sentence speak of the person who says it? */
export const isAboutSpeaker = (text: string): boolean => /\b(?:I|I'm|I've|I'd|I'll|me|my|mine|myself)\b/i.test(text.replaceAll('’', "'"))

export const toThirdPerson = (sentence: string): string => {
  const text = sentence.replaceAll('’', "'").trim()
  const being = /^(?:I'm|I am) (.+)$/is.exec(text)
  if (being?.[1] !== undefined) return `User is ${aboutThem(being[1])}`
  const having = /^I've (.+)$/is.exec(text)
  if (having?.[1] !== undefined) return `User has ${aboutThem(having[1])}`
  const doing = /^I (?:(always|never|usually|often|mostly|also|really|only) )?([a-z']+)(.*)$/is.exec(text)
  if (doing?.[2] !== undefined) {
    const adverb = doing[1] === undefined ? '' : `${doing[1].toLowerCase()} `
    return `User ${adverb}${conjugate(doing[2])}${aboutThem(doing[3] ?? '')}`
  }
  const owning = /^my (.+)$/is.exec(text)
  if (owning?.[1] !== undefined) return `User's ${aboutThem(owning[1])}`
  const acting = /^we ([a-z]+)(.*)$/is.exec(text)
  if (acting?.[1] !== undefined) return `The team ${conjugate(acting[1])}${acting[2] ?? ''}`
  return capitalise(isAboutSpeaker(text) ? aboutThem(text) : text)
}

/** The parts of a model's answer that may contain its JSON list: thinking is dropped, fenced blocks precede the whole text. */

const THINKING = '(?:think|thinking|thought|reasoning)'
const opensWithThinking = new RegExp(`^\\s*<${THINKING}>`, 'i')
const closesThinking = new RegExp(`</${THINKING}>`, 'gi')

/** The texts after the thinking, in the order to try. The opening tag may be missing. Empty if the thinking never ends. */
export const withoutThinking = (text: string): readonly string[] => {
  let end = 0
  let first = -1
  for (const close of text.matchAll(closesThinking)) {
    end = close.index + close[0].length
    if (first < 0) first = end
  }
  if (opensWithThinking.test(text)) return first < 0 ? [] : end === first ? [text.slice(end)] : [text.slice(end), text.slice(first)]
  if (end === 0) return [text]
  // A closing tag may also be quoted in a proposal, so the whole text is tried as well; first if it begins like an answer.
  return /^\s*(?:[{[]|```)/.test(text) ? [text, text.slice(end)] : [text.slice(end), text]
}

/** Only fences at the start of a line count: in a JSON string, line breaks are escaped. */
const fencedBlocks = (text: string): string[] => {
  const fences = [...text.matchAll(/^[ \t]{0,3}```[^\n`]*$/gm)]
  const blocks: string[] = []
  for (let index = 0; index < fences.length; index += 2) {
    const open = fences[index]
    if (open) blocks.push(text.slice(open.index + open[0].length, fences[index + 1]?.index ?? text.length))
  }
  return blocks
}

/** In the order to try: the last fenced block first, the whole text last. */
export const candidateTexts = (answer: string): readonly string[] =>
  withoutThinking(answer).flatMap((text) => [...fencedBlocks(text).reverse(), text])

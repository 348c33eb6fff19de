/** Pages that show what was measured. Pure. */

/** Replaces what is between `<!-- begin name -->` and `<!-- end name -->`. Throws if the page lacks a section. */
export const fillSections = (page: string, sections: Readonly<Record<string, string>>): string => {
  let filled = page
  for (const [name, text] of Object.entries(sections)) {
    const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)]
    if (from < 0 || to < from) throw new TypeError(`The page has no section ${name}: write ${begin} and ${end}.`)
    filled = `${filled.slice(0, from + begin.length)}\n\n${text}\n\n${filled.slice(to)}`
  }
  return filled
}

/** A table in Markdown: words to the left in the first `textColumns`, numbers to the right in the others. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[], textColumns = 1): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at < textColumns ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

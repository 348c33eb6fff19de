/**
 * The pages of the repository, and what they show of kept results: between `<!-- begin growth-all -->` and `<!-- end growth-all -->` is the `page` of
 * `results/growth-all.json`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

const SECTION = /(<!-- begin ([\w-]+) -->\n).*?(<!-- end \2 -->)/gs

/** From the root of the repository. */
export const PAGES: readonly string[] = ['README.md', ...globSync('{docs,packages/*,examples/*}/*.md', { cwd: ROOT })]
  .filter((page) => !page.endsWith('CHANGELOG.md'))
  .toSorted()

export const readPage = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** The names of the sections of a page. */
export const sectionsIn = (text: string): readonly string[] => [...text.matchAll(SECTION)].map(([, , name = '']) => name)

export const withoutSections = (text: string): string => text.replace(SECTION, '')

/** `textOf`: what the section of this name shows; `undefined` leaves it as it is. */
export const fillSections = (page: string, textOf: (name: string) => string | undefined): string =>
  page.replace(SECTION, (whole, begin: string, name: string, end: string) => {
    const text = textOf(name)
    return text === undefined ? whole : `${begin}\n${text}\n\n${end}`
  })

/** Writes the pages that show this result. */
export const writePages = (name: string, text: string): void => {
  for (const page of PAGES) {
    const [before, after] = [readPage(page), fillSections(readPage(page), (each) => (each === name ? text : undefined))]
    if (after !== before) writeFileSync(join(ROOT, page), after)
  }
}

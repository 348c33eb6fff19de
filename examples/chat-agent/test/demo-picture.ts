/** The picture at the top of the README. */
import { readFileSync } from 'node:fs'

export const PICTURE = readFileSync(new URL('../../../docs/images/demo.svg', import.meta.url), 'utf8')

export const textIn = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, inside = '']) =>
    inside
      .replace(/<[^>]*>/g, '')
      .replaceAll('&gt;', '>')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  )

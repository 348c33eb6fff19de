/** Saves what was measured, and writes docs/growth.md and its charts from it. */
import { readFile, writeFile } from 'node:fs/promises'
import type { SoakOutcome } from '../soak/run-soak.ts'
import { drawPanels, type Picture } from './draw-panels.ts'
import { fillSections } from './fill-sections.ts'
import { type GrowthResults, growthPicture, growthSections } from './growth-report.ts'
import { soakPicture, soakSections } from './soak-report.ts'

export interface SavedResults {
  readonly growth: GrowthResults
  readonly soak: readonly SoakOutcome[]
}

const PAGE = new URL('../../docs/growth.md', import.meta.url)

const fileOf = (name: keyof SavedResults): URL => new URL(`../${name}/results.json`, import.meta.url)

export const sectionsOf = ({ growth, soak }: SavedResults): Readonly<Record<string, string>> => ({
  ...growthSections(growth),
  ...soakSections(soak),
})

/** By the name of the file in docs/images. */
export const picturesOf = ({ growth, soak }: SavedResults): Readonly<Record<string, Picture>> => ({
  'bench-growth': growthPicture(growth),
  'bench-soak': soakPicture(soak),
})

export const readResults = async (): Promise<SavedResults> => ({
  growth: JSON.parse(await readFile(fileOf('growth'), 'utf8')),
  soak: JSON.parse(await readFile(fileOf('soak'), 'utf8')),
})

/** From the saved results. */
export const writePage = async (): Promise<void> => {
  const results = await readResults()
  await writeFile(PAGE, fillSections(await readFile(PAGE, 'utf8'), sectionsOf(results)))
  for (const [name, picture] of Object.entries(picturesOf(results)))
    await writeFile(new URL(`../../docs/images/${name}.svg`, import.meta.url), drawPanels(picture))
}

export const saveResults = async <Name extends keyof SavedResults>(name: Name, results: SavedResults[Name]): Promise<void> => {
  await writeFile(fileOf(name), `${JSON.stringify(results, undefined, 2)}\n`)
  await writePage()
}

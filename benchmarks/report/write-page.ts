/** Saves what was measured, and writes docs/growth.md with its charts, and docs/faults.md, from it. */
import { readFile, writeFile } from 'node:fs/promises'
import type { SoakOutcome } from '../soak/run-soak.ts'
import { drawPanels, type Picture } from './draw-panels.ts'
import { type FaultResults, faultSections } from './fault-report.ts'
import { fillSections } from './fill-sections.ts'
import { type GrowthResults, growthPicture, growthSections } from './growth-report.ts'
import { soakPicture, soakSections } from './soak-report.ts'

export interface SavedResults {
  readonly growth: GrowthResults
  readonly soak: readonly SoakOutcome[]
  readonly faults: FaultResults
}

const pageOf = (name: string): URL => new URL(`../../docs/${name}.md`, import.meta.url)

const fileOf = (name: keyof SavedResults): URL => new URL(`../${name}/results.json`, import.meta.url)

/** By the name of the page in docs. */
export const sectionsOf = ({ growth, soak, faults }: SavedResults) => ({
  growth: { ...growthSections(growth), ...soakSections(soak) },
  faults: faultSections(faults),
})

/** By the name of the file in docs/images. */
export const picturesOf = ({ growth, soak }: SavedResults): Readonly<Record<string, Picture>> => ({
  'bench-growth': growthPicture(growth),
  'bench-soak': soakPicture(soak),
})

export const readResults = async (): Promise<SavedResults> => ({
  growth: JSON.parse(await readFile(fileOf('growth'), 'utf8')),
  soak: JSON.parse(await readFile(fileOf('soak'), 'utf8')),
  faults: JSON.parse(await readFile(fileOf('faults'), 'utf8')),
})

/** From the saved results. */
export const writePages = async (): Promise<void> => {
  const results = await readResults()
  for (const [name, sections] of Object.entries(sectionsOf(results)))
    await writeFile(pageOf(name), fillSections(await readFile(pageOf(name), 'utf8'), sections))
  for (const [name, picture] of Object.entries(picturesOf(results)))
    await writeFile(new URL(`../../docs/images/${name}.svg`, import.meta.url), drawPanels(picture))
}

export const saveResults = async <Name extends keyof SavedResults>(name: Name, results: SavedResults[Name]): Promise<void> => {
  await writeFile(fileOf(name), `${JSON.stringify(results, undefined, 2)}\n`)
  await writePages()
}

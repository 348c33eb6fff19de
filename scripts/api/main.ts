/** `pnpm api` says which reports of the public API differ from the built packages, `pnpm api --write` writes them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { apiReports, changedReports } from './report.ts'

const reports = apiReports()
const changed = changedReports(reports)
if (process.argv.includes('--write')) {
  for (const folder of new Set(reports.map(({ path }) => dirname(path)))) rmSync(folder, { recursive: true, force: true })
  for (const { path, text } of reports) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
for (const path of changed) console.log(path)

/** Prints the answers of a worker to some requests, one after the other. */
import process from 'node:process'
import { Miniflare } from 'miniflare'

const [scriptPath, requests] = process.argv.slice(2)
const miniflare = new Miniflare({
  modules: true,
  modulesRules: [{ type: 'ESModule', include: ['**/*.mjs'] }],
  scriptPath,
  compatibilityDate: '2026-07-01',
})
const answers = []
for (const request of JSON.parse(requests)) {
  const response = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body: JSON.stringify(request) })
  answers.push(await response.json())
}
console.log(JSON.stringify(answers))
await miniflare.dispose()

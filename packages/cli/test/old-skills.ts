/** A home whose next curator run archives skills. */
import { skillText, writeHome } from './run-hermes.ts'

const DAY = 86_400_000

/** `old` were last used by an agent 200 days ago; `kept` are a person's. */
export const writeOldSkills = (home: string, now: number, old: readonly string[], kept: readonly string[] = []): void => {
  const at = new Date(now - 200 * DAY).toISOString()
  const record = { created_by: 'agent', use_count: 1, last_used_at: at, created_at: at }
  writeHome(home, {
    ...Object.fromEntries([...old, ...kept].map((name) => [`skills/${name}/SKILL.md`, skillText(name)])),
    'skills/.usage.json': JSON.stringify(Object.fromEntries(old.map((name) => [name, record]))),
  })
}

/** Lists and views the skills of a home in a separate process, as a user with restricted permissions, and prints the results as JSON. */
import { SkillStore } from '../../src/skills/skill-store.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'

const { home, user, views }: { home: string; user?: number; views: readonly string[] } = JSON.parse(process.argv[2] ?? '')
const store = new SkillStore({ storage: fileSystemBackend(home, { onWarning: () => undefined }) })
if (user !== undefined) {
  process.setgroups?.([])
  process.setgid?.(user)
  process.setuid?.(user)
}
const listed = await store.list()
if (!listed.ok) throw listed.error
const answers: Record<string, string> = {}
for (const name of views) {
  const viewed = await store.view(name)
  answers[name] = viewed.ok ? 'ok' : viewed.error.code
}
const problems = listed.value.problems.map(({ code, message, details }) => ({ code, message, path: details['path'] }))
process.stdout.write(`${JSON.stringify({ skills: listed.value.skills.map(({ name }) => name), problems, answers })}\n`)

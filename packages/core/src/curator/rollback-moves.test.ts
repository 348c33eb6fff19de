import { expect, it } from 'vitest'
import { contentsOf } from './rollback-moves.ts'

const file = (path: string) => ({ path, size: 1, sha256: 'a'.repeat(64) })

it('knows the same skill in another folder, with the skills in it', () => {
  const files = [
    'skills/.archive/a/SKILL.md',
    'skills/.archive/a/in/SKILL.md',
    'skills/a/SKILL.md',
    'skills/a/in/SKILL.md',
    'skills/ab/SKILL.md',
  ]
  const found = contentsOf(files.map(file), ['skills/.archive/a', 'skills/a', 'skills/a/in', 'skills/ab', 'skills/none'])
  expect(found.get('skills/a')).toBe(found.get('skills/.archive/a'))
  expect(found.get('skills/a/in')).toBe(found.get('skills/ab'))
  expect(found.get('skills/a')).not.toBe(found.get('skills/ab'))
  expect(found.get('skills/none')).toBe('')
})

it('passes once over the files, however many folders there are', () => {
  const folders = Array.from({ length: 5_000 }, (_, index) => `skills/.archive/skill-${index}`)
  const files = folders.flatMap((folder) => [file(`${folder}/SKILL.md`), file(`${folder}/references/a.md`)])
  const started = performance.now()
  expect(contentsOf(files, folders).size).toBe(5_000)
  expect(performance.now() - started).toBeLessThan(1_000)
})

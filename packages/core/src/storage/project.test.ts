import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { checkProject, insideProject, projectFolder, projectOfPath, projectsIn } from './project.ts'
import { projectSchema } from './project-schema.ts'
import { checkStoragePath } from './storage-paths.ts'

const name = fc.string({ unit: codePoint, minLength: 1, maxLength: 200 }).filter((text) => {
  try {
    return checkProject(text) === text
  } catch {
    return false
  }
})

const fold = (path: string): string => path.normalize('NFC').toLowerCase()

describe('the folder of a project', () => {
  it('is a valid path of its own for each name, and gives the name back', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const path = `${projectFolder(one)}/memories/MEMORY.md`
        expect(projectSchema.safeParse(one).success).toBe(true)
        expect(insideProject(path)).toBe('memories/MEMORY.md')
        expect(checkStoragePath(path)).toEqual({ ok: true, value: path })
        expect(projectOfPath(path)).toEqual({ project: one, path: 'memories/MEMORY.md' })
        expect(fold(projectFolder(one)) === fold(projectFolder(other))).toBe(one === other)
      }),
      { seed: 21, numRuns: rounds(500) },
    )
  })

  it.each([
    ['webshop', 'projects/webshop'],
    ['Webshop', 'projects/~57ebshop'],
    ['../../etc', 'projects/~2e~2e~2f~2e~2e~2fetc'],
    ['nul', 'projects/~6eul'],
    ['.', 'projects/~2e'],
  ])('of %s is %s', (project, folder) => {
    expect(projectFolder(project)).toBe(folder)
  })
})

it.each([
  ['', 'is empty'],
  [null, 'is null'],
  [7, 'is of type number'],
  ['a'.repeat(201), 'has 201 characters'],
  ['Ü'.repeat(40), 'is too long'],
  ['a\ud800', 'holds half a character'],
])('takes no project %j, since it %s', (project, why) => {
  expect(() => checkProject(project)).toThrow(TypeError)
  expect(() => checkProject(project)).toThrow(why)
  expect(projectSchema.safeParse(project).success).toBe(false)
})

it('lists each project once, by name, and nothing that it did not name', () => {
  const paths = ['projects/b/memories/MEMORY.md', 'projects/a/x', 'projects/b/y', 'projects/README', 'projects/~zz/x', 'memories/MEMORY.md']
  expect(projectsIn(paths.map((path) => ({ path })))).toEqual(['a', 'b'])
  expect(insideProject('projects/README')).toBe('projects/README')
})

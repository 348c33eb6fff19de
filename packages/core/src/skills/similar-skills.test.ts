import { describe, expect, it } from 'vitest'
import { findSimilarSkills } from './similar-skills.ts'

type Pair = readonly [candidate: readonly [name: string, description: string], other: readonly [name: string, description: string]]

const NEAR_DUPLICATES: readonly Pair[] = [
  [
    ['csv-quick-summary', 'Summarise a CSV file quickly: statistics for each column'],
    ['parse-csv-stats', 'Parse a CSV file and print statistics of its columns'],
  ],
  [
    ['deploy-staging', 'Deploy the web app to the staging server'],
    ['deploy-to-staging', 'How to deploy the web application to staging'],
  ],
  [
    ['pdf_fill', 'Fill in PDF forms'],
    ['pdf-fill', 'Anything else'],
  ],
  [
    ['pdffill', 'Fill in forms'],
    ['pdf-fill', 'Anything else'],
  ],
  [
    ['resize-images', 'Resize images in a folder with ImageMagick'],
    ['image-resizing', 'Resizes every image of a folder using ImageMagick'],
  ],
  [
    ['git-rebase-conflicts', 'Resolve conflicts during a git rebase'],
    ['rebase-help', 'Resolving conflicts while a git rebase is running'],
  ],
  [
    ['release-npm-package', 'Publish a package to npm with provenance'],
    ['npm-publish', 'Publishing packages to npm, with provenance'],
  ],
  [
    ['berichte-erstellen', 'Monatliche Berichte aus der Datenbank als PDF erstellen'],
    ['monatsbericht', 'Erstellt monatliche Berichte als PDF aus der Datenbank'],
  ],
  [
    ['facture-pdf', 'Générer des factures PDF pour les clients'],
    ['factures', 'Génère les factures des clients en PDF'],
  ],
  [
    ['shu-ju-bao-gao', '从数据库生成每月销售报告'],
    ['monthly-sales', '每月从数据库生成销售报告并发送'],
  ],
  [
    ['report-ja', '毎月の売上レポートを作成する'],
    ['sales-report-ja', '売上レポートを毎月作成'],
  ],
  [
    ['otchet', 'Создать ежемесячный отчёт о продажах из базы данных'],
    ['monthly', 'Создание ежемесячного отчёта о продажах: база данных, отчёт'],
  ],
]

const UNRELATED: readonly Pair[] = [
  [
    ['deploy-staging', 'Deploy the web app to the staging server'],
    ['csv-quick-summary', 'Summarise a CSV file quickly'],
  ],
  [
    ['git-rebase', 'Rebase a branch onto main'],
    ['git-bisect', 'Find the commit that broke a test'],
  ],
  [
    ['python-testing', 'Write tests with pytest fixtures'],
    ['python-packaging', 'Build wheels and publish to an index'],
  ],
  [
    ['use-when-needed', 'Use this skill when the user asks for help with a task'],
    ['how-to-use', 'How to use the guide when the user needs a workflow'],
  ],
  [
    ['pdf-fill', 'Fill in PDF forms'],
    ['pdf-merge', 'Join several documents into one'],
  ],
  [
    ['docker-logs', 'Read container logs'],
    ['docker-network', 'Debug why containers cannot reach each other'],
  ],
  [
    ['write-haiku', 'Compose a haiku about the seasons'],
    ['season-tickets', 'Order tickets for a football club'],
  ],
  [
    ['berichte', 'Monatliche Berichte aus der Datenbank als PDF erstellen'],
    ['urlaub', 'Urlaubsantrag für das Team stellen und eintragen'],
  ],
  [
    ['shu-ju', '从数据库生成每月销售报告'],
    ['tian-qi', '查询城市天气并提醒带伞'],
  ],
  [
    ['a', 'x'],
    ['b', 'y'],
  ],
  [
    ['', ''],
    ['the', 'the of and'],
  ],
]

const toSkill = ([name, description]: readonly [string, string]) => ({ name, description, path: name })
const show = ([name, description]: readonly [string, string]) => `${name} (${description})`

describe('findSimilarSkills', () => {
  it.each(NEAR_DUPLICATES.map((pair) => [`${show(pair[0])} beside ${show(pair[1])}`, pair] as const))(
    'finds %s',
    (_, [candidate, other]) => {
      expect(findSimilarSkills(toSkill(candidate), [toSkill(other)]).map(({ path }) => path)).toEqual([other[0]])
      expect(findSimilarSkills(toSkill(other), [toSkill(candidate)]).map(({ path }) => path)).toEqual([candidate[0]])
    },
  )

  it.each(UNRELATED.map((pair) => [`${show(pair[0])} beside ${show(pair[1])}`, pair] as const))(
    'leaves %s alone',
    (_, [candidate, other]) => {
      expect(findSimilarSkills(toSkill(candidate), [toSkill(other)])).toEqual([])
      expect(findSimilarSkills(toSkill(other), [toSkill(candidate)])).toEqual([])
    },
  )

  it('stays quick with ten thousand skills and long descriptions', () => {
    const skills = Array.from({ length: 10_000 }, (_, index) => ({
      name: `skill-${index}`,
      description: `Text number ${index} about topic${index}`,
      path: `${index}`,
    }))
    expect(findSimilarSkills({ name: 'other', description: 'word '.repeat(100_000) }, skills)).toEqual([])
  })
})

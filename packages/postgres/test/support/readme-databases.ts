/** The programs of the README, and databases to run them in. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { expect } from 'vitest'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)

/** `url`: of the server of `pool`. */
export const readmeDatabases = (pool: pg.Pool, url: string) => {
  /** A pool that has ended may still be closing its connections. */
  const dropWhenUnused = async (name: string): Promise<void> => {
    await expect.poll(async () => (await pool.query('select from pg_stat_activity where datname = $1', [name])).rowCount).toBe(0)
    await pool.query(`drop database if exists ${name}`)
  }

  /** A database of its own, since the README uses the default schema. */
  const withDatabase = async (name: string, run: (url: string) => Promise<void>): Promise<void> => {
    await pool.query(`drop database if exists ${name}`)
    await pool.query(`create database ${name}`)
    const own = new URL(url)
    own.pathname = `/${name}`
    await run(own.href)
    await dropWhenUnused(name)
  }

  return { blocks, withDatabase, dropWhenUnused }
}

/** A schema for each test, so that tests share a server and nothing else. */
import { randomUUID } from 'node:crypto'

export const newSchema = (): string => `test_${randomUUID().replaceAll('-', '')}`

/** mem0, open source: memories and their history in SQLite. Its telemetry is switched off by the harness, before the import. */
import { Memory } from 'mem0ai/oss'

export const openMemory = (folder: string, baseURL: string): Memory =>
  new Memory({
    historyDbPath: `${folder}/history.db`,
    vectorStore: { provider: 'memory', config: { collectionName: 'memories', dimension: 64, dbPath: `${folder}/vectors.db` } },
    embedder: { provider: 'openai', config: { apiKey: 'none', model: 'embedding', embeddingDims: 64, baseURL } },
    llm: { provider: 'openai', config: { apiKey: 'none', model: 'background', baseURL } },
  })

/** How child processes open the back end of docs/write-your-own.md. */
import { sqlBackend } from '../../examples/sql-backend.ts'

export const open = async ({ file }: { readonly file: string }) => sqlBackend(file)

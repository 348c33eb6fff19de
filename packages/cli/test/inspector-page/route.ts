import { hermesInspector } from '@hermes/cli/inspector'
import { homes } from './homes.ts'
import { isAdmin } from './is-admin.ts'

const inspector = hermesInspector(homes, {
  basePath: '/hermes',
  hosts: ['app.example.com'],
  access: (request) => isAdmin(request), // your own sign-in, asked for every request
  write: true,
})

export { inspector as GET, inspector as POST }

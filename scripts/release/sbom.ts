/** What a release consists of, as a CycloneDX document: our packages, and those whose code is in them. */
import { readFromTarball, type Tarball } from './facts.ts'
import type { Manifest } from './manifests.ts'

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** The packages that the licence files of a tarball name, which the build writes from what it has bundled. */
const bundledIn = (tarball: Tarball) =>
  tarball.files
    .filter((file) => file.endsWith('THIRD-PARTY.txt'))
    .flatMap((file) => [...readFromTarball(tarball, file).matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d\S*) \(([^)\n]*)\)$/gm)])
    .map(([, name = '', version = '', licence = '']) => ({ name, version, licence, purl: purlOf(name, version) }))

export const sbomOf = (released: readonly { readonly manifest: Manifest; readonly tarball: Tarball }[]): object => {
  const bundled = new Map(released.flatMap(({ tarball }) => bundledIn(tarball).map((each) => [each.purl, each])))
  const own = released.map(({ manifest: { name, version, license }, tarball }) => ({
    type: 'library',
    'bom-ref': purlOf(name, version),
    name,
    version,
    purl: purlOf(name, version),
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(tarball.integrity.slice('sha512-'.length), 'base64').toString('hex') }],
  }))
  const others = [...bundled.values()].map(({ name, version, licence, purl }) => ({
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ expression: licence }],
  }))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'hermes', version: released[0]?.manifest.version } },
    components: [...own, ...others],
    dependencies: released.map(({ manifest, tarball }) => ({
      ref: purlOf(manifest.name, manifest.version),
      dependsOn: [...new Set(bundledIn(tarball).map(({ purl }) => purl))],
    })),
  }
}

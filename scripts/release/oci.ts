import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tarOptions } from './archive.ts';
import type { Publisher } from './publisher.ts';
import { recordInstallation } from './tree.ts';

/** The id and the home directory of the person in the image. */
const USER = 65532;
const HOME = '/home/svc';

/**
 * Makes an image in the OCI image layout, packed as a .tar file, and returns its name. It has one layer: a small Debian with a shell for CI
 * jobs, and the tree for Linux x64 (tree.ts) in /usr/local. Needs mmdebstrap and root, but no container engine.
 *
 * @param time Seconds since 1970 that all files get.
 */
export async function makeImage(directory: string, work: string, tree: string, publisher: Publisher, time: number): Promise<string> {
  const root = join(work, 'image-root');
  const layout = join(work, 'image');
  const blobs = join(layout, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  execFileSync('mmdebstrap', ['--quiet', '--variant=essential', '--include=ca-certificates', 'bookworm', root], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync('cp', ['-a', `${tree}/.`, join(root, 'usr/local')]);
  await recordInstallation(join(root, 'usr/local'), 'oci');
  await writeFile(join(root, 'etc/passwd'), `svc:x:${USER}:${USER}::${HOME}:/bin/sh\n`, { flag: 'a' });
  await writeFile(join(root, 'etc/group'), `svc:x:${USER}:\n`, { flag: 'a' });
  // Programs of Debian write these at the time of the build.
  for (const path of ['var/cache', 'var/log', 'var/lib/apt/lists', 'etc/hostname', 'etc/resolv.conf', 'etc/machine-id', 'dev'])
    await rm(join(root, path), { recursive: true, force: true });
  await mkdir(join(root, 'dev'));
  await mkdir(join(root, HOME));
  await chown(join(root, HOME), USER, USER);
  const layer = join(work, 'layer.tar');
  // Debian’s files keep their modes and owners.
  execFileSync('tar', ['--sort=name', '--numeric-owner', `--mtime=@${time}`, '--format=gnu', '-cf', layer, '-C', root, '.']);
  const diff = createHash('sha256')
    .update(await readFile(layer))
    .digest('hex');
  execFileSync('gzip', ['-n6', layer]);

  const store = async (bytes: Buffer) => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    await writeFile(join(blobs, digest), bytes);
    return { digest: `sha256:${digest}`, size: bytes.length };
  };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const created = new Date(time * 1000).toISOString();
  const labels = {
    'org.opencontainers.image.title': 'svc',
    'org.opencontainers.image.version': publisher.version,
    'org.opencontainers.image.licenses': publisher.license,
    'org.opencontainers.image.source': publisher.repository.url.replace(/^git\+|\.git$/g, ''),
    'org.opencontainers.image.created': created,
  };
  const layerBlob = await store(await readFile(`${layer}.gz`));
  const configuration = await store(
    json({
      created,
      architecture: 'amd64',
      os: 'linux',
      config: {
        User: `${USER}:${USER}`,
        Env: ['PATH=/usr/local/bin:/usr/bin:/bin', `HOME=${HOME}`, 'SVC_TOKEN_STORE=file', 'LANG=C.UTF-8'],
        Cmd: ['svc'],
        WorkingDir: HOME,
        Labels: labels,
      },
      rootfs: { type: 'layers', diff_ids: [`sha256:${diff}`] },
      history: [{ created, created_by: 'scripts/release/oci.ts' }],
    }),
  );
  const manifest = await store(
    json({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...configuration },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', ...layerBlob }],
      annotations: labels,
    }),
  );
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await writeFile(
    join(layout, 'index.json'),
    json({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [
        {
          mediaType: 'application/vnd.oci.image.manifest.v1+json',
          ...manifest,
          platform: { architecture: 'amd64', os: 'linux' },
          annotations: { 'org.opencontainers.image.ref.name': publisher.version },
        },
      ],
    }),
  );
  const file = `svc-${publisher.version}-oci-linux-x64.tar`;
  execFileSync('tar', [...tarOptions(time), '-cf', join(directory, file), '-C', layout, '.']);
  await rm(root, { recursive: true });
  return file;
}

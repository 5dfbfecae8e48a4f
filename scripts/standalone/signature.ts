import { readFile, writeFile } from 'node:fs/promises';

/**
 * Copies Node for Windows without its signature. The bundle would make the signature wrong, and Windows trusts a wrong signature less than
 * none.
 *
 * @throws Error if the file is not a 64-bit program of Windows with its signature at the end.
 */
export async function unsignedNode(node: string, copy: string): Promise<string> {
  const bytes = await readFile(node);
  const header = bytes.readUInt32LE(0x3c);
  // The optional header follows the signature (4 bytes) and the file header (20 bytes). The fifth directory is the certificate table.
  const optional = header + 24;
  const directory = optional + 112 + 4 * 8;
  const isProgram = bytes.toString('latin1', header, header + 4) === 'PE\0\0' && bytes.readUInt16LE(optional) === 0x20b;
  const [start, size] = [bytes.readUInt32LE(directory), bytes.readUInt32LE(directory + 4)];
  if (!isProgram || start + size !== bytes.length) throw new Error(`${node} has no signature at its end.`);
  bytes.fill(0, directory, directory + 8);
  await writeFile(copy, bytes.subarray(0, start));
  return copy;
}

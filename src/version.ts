import manifest from '../package.json' with { type: 'json' };

/** The bundler keeps only this field of the manifest. */
export const SVC_VERSION: string = manifest.version;

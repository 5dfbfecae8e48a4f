/** The package has no types of its own. */
declare module 'pgpass' {
  interface Connection {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string | undefined;
  }
  /** Reads a password from the password file; undefined if it has none. */
  export default function pgpass(connection: Connection, found: (password: string | undefined) => void): void;
}

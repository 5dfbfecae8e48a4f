/** Leave to send the contents of one file. */
interface UploadTicket {
  readonly id: number;
  /** The resource of the file that it becomes, and the record that it belongs to. */
  readonly files: 'attachments' | 'drive-files';
  readonly parentId: number;
  readonly fileName: string;
  readonly mimeType: string | null;
  readonly until: number;
  /** Where its contents are sent, relative to the API's base: `/uploads/1`. */
  readonly path: string;
}

/** Tickets by id; one is over when its contents arrive. */
export type UploadTickets = Map<number, UploadTicket>;

import { SmrtPolymorphicAssociation, field, smrt } from '@happyvertical/smrt-core';

/** A photo or a certificate that hangs on a product, a stall or a stallholder. */
@smrt({ tableName: 'attachments', api: { include: ['list', 'get', 'create'] }, mcp: false, cli: false })
export class Attachment extends SmrtPolymorphicAssociation {
  @field({ required: true })
  fileName: string = '';

  mimeType: string = 'image/jpeg';
  byteCount: number = 0;
  altText: string | null = null;

  /** Width through height; the gallery needs it before the picture is there. */
  aspectRatio: number = 1.5;

  @field({ transient: true })
  previewUrl?: string;
}

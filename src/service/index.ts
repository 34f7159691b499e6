export { createMediaService } from './create-media-service.ts';
export type {
  CustomFormatParameters,
  Download,
  DownloadRequest,
  FileMetadata,
  FileRecord,
  FilesRequest,
  Folder,
  ListRequest,
  MediaService,
  Progress,
  TreeRequest,
  Usage,
  UsageRecord,
  Validators,
} from './media-service.ts';
export { openTokenStore, type TokenStoreSettings } from './open-token-store.ts';
export { buildFolderTree, type FolderTree } from './read-folders.ts';
export { type Effect, ServiceError } from './service-error.ts';
export type { Credentials, MediaServiceOptions } from './service-options.ts';
export type { AuthorizationAnswer, AuthorizationRequest } from './sign-in.ts';
export type { TokenEncoding } from './token-request.ts';
export type { StoredTokens, TokenStore } from './token-store.ts';
export type { Uploaded, UploadFields, UploadMetadata, UploadRequest } from './upload-file.ts';
export type { UploadFile, UploadProgress } from './upload-source.ts';

export { createMediaService } from './create-media-service.ts';
export type {
  AuthorizationAnswer,
  AuthorizationRequest,
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
  StoredTokens,
  TreeRequest,
  Uploaded,
  UploadFile,
  UploadMetadata,
  UploadProgress,
  UploadRequest,
  Usage,
  UsageRecord,
  Validators,
} from './media-service.ts';
export { openTokenStore, type TokenStoreSettings } from './open-token-store.ts';
export { buildFolderTree, type FolderTree } from './read-folders.ts';
export { type Effect, ServiceError } from './service-error.ts';
export type { Credentials, MediaServiceOptions } from './service-options.ts';
export type { TokenEncoding } from './token-request.ts';
export type { TokenStore } from './token-store.ts';
export type { UploadFields } from './upload-file.ts';

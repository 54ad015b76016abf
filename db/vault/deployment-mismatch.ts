/** MASTER_KEY or ENVIRONMENT belong to another deployment than this database; the message is for the operator. */
export class DeploymentMismatch extends Error {
  override name = 'DeploymentMismatch';
}

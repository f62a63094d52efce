-- Database roles of analysts that the service created, and the one tenant that each may see; null =
-- all.
create table service.analysts (
  role text primary key,
  tenant_id text
);

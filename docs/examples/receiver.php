<?php
// A webhook receiver in PHP 8, without packages. It starts the web server that PHP brings; behind
// another web server, let this file answer the URL of the destination.
//   SIGNING_SECRET=whsec_… PORT=4000 php docs/examples/receiver.php
declare(strict_types=1);

// Refuse older deliveries: somebody may have recorded them.
const TOLERANCE_SECONDS = 300;
// The service never sends a longer body.
const BODY_BYTES_MAX = 1024 * 1024;

/** The signing secrets. During a rotation there may be two: SIGNING_SECRET=whsec_new,whsec_old */
function secrets(): array
{
    $secrets = explode(',', getenv('SIGNING_SECRET') ?: '');
    foreach ($secrets as $secret) {
        // An empty secret is one that everybody knows: the receiver does not work with it.
        if (!preg_match('#^whsec_[A-Za-z0-9+/]{20,}={0,2}$#D', $secret)) {
            error_log('Set SIGNING_SECRET to the signing secret of the destination (whsec_…).');
            http_response_code(500);
            exit(1);
        }
    }
    return $secrets;
}

/** Null if the body comes from the service, unchanged, and was sent just now; else the fault. */
function findFault(array $secrets, string $body): ?string
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    if ($id === '' || $signatures === '' || !preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
        return 'the header webhook-id, webhook-timestamp or webhook-signature is missing or malformed. Is the sender the service?';
    }
    $ageSeconds = time() - (int) $timestamp;
    if ($ageSeconds > TOLERANCE_SECONDS) {
        return 'the request is older than 5 minutes. Is the clock of this machine right?';
    }
    if ($ageSeconds < -TOLERANCE_SECONDS) {
        return 'the request is more than 5 minutes in the future. Is the clock of this machine right?';
    }
    // One signature for each valid secret, separated by spaces. One that matches is enough.
    $given = explode(' ', $signatures);
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $mac = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        $expected = 'v1,' . base64_encode($mac);
        foreach ($given as $signature) {
            // Compares in constant time.
            if (hash_equals($expected, $signature)) {
                return null;
            }
        }
    }
    return 'wrong signature. Is SIGNING_SECRET the secret of this destination?';
}

/**
 * True the first time that an event is handled: an event may come again. Each request is a process
 * of its own in PHP, so this example remembers an id as an empty file. Keep them in your database.
 */
function isNew(string $id): bool
{
    $directory = getenv('HANDLED_EVENTS') ?: sys_get_temp_dir() . '/handled-events';
    is_dir($directory) || mkdir($directory, 0700, true);
    $file = @fopen($directory . '/' . hash('sha256', $id), 'x');
    return $file !== false && fclose($file);
}

/** Answer within 15 seconds: put slow work into a queue. */
function handle(array $event): void
{
    $again = isNew($event['id']) ? '' : ' again';
    file_put_contents('php://stdout', "{$event['type']} {$event['id']}$again\n");
}

$secrets = secrets();
if (PHP_SAPI === 'cli') {
    $port = getenv('PORT');
    $address = '127.0.0.1:' . ($port === false ? '4000' : (int) $port);
    passthru(escapeshellarg(PHP_BINARY) . " -S $address " . escapeshellarg(__FILE__), $code);
    exit($code);
}
// Verify the bytes as they came. JSON that is parsed and written again has other bytes.
$body = (string) file_get_contents('php://input', false, null, 0, BODY_BYTES_MAX + 1);
if (strlen($body) > BODY_BYTES_MAX) {
    http_response_code(413);
} elseif (($fault = findFault($secrets, $body)) !== null) {
    http_response_code(401);
    file_put_contents('php://stdout', "refused: $fault\n");
} else {
    handle(json_decode($body, true, 512, JSON_THROW_ON_ERROR));
    http_response_code(204);
}

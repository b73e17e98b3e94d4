# Installs griot @version@: downloads the archive for this machine, checks it, unpacks it, and adds its folder to the user's Path.
#
#   powershell -c "irm @url@/griot-installer.ps1 | iex"
#
# GRIOT_PREFIX names the folder, which is %LOCALAPPDATA%\Programs\griot where it is not named, and GRIOT_DOWNLOAD another place of the
# archives, a folder or an address.
$ErrorActionPreference = 'Stop'
$base = if ($env:GRIOT_DOWNLOAD) { $env:GRIOT_DOWNLOAD } else { '@url@' }
$folder = if ($env:GRIOT_PREFIX) { $env:GRIOT_PREFIX } else { Join-Path $env:LOCALAPPDATA 'Programs\griot' }
$sums = @{
    'x86_64' = '@x86_64_windows_sha256@'
    'aarch64' = '@aarch64_windows_sha256@'
}
$is_arm = $env:PROCESSOR_ARCHITECTURE -eq 'ARM64' -or $env:PROCESSOR_ARCHITEW6432 -eq 'ARM64'
# Windows on ARM runs programs of x86-64, too.
$machine = if ($is_arm -and $sums.ContainsKey('aarch64')) { 'aarch64' } else { 'x86_64' }
$name = "griot-@version@-$machine-windows"
$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid().ToString())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    $file = Join-Path $work "$name.zip"
    if (Test-Path $base) {
        Copy-Item (Join-Path $base "$name.zip") $file
    } else {
        # Windows PowerShell does not offer it by itself.
        [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
        Invoke-WebRequest -UseBasicParsing -Uri "$base/$name.zip" -OutFile $file
    }
    $found = (Get-FileHash -Algorithm SHA256 $file).Hash
    if ($found -ne $sums[$machine]) { throw "$name.zip: expected the checksum $($sums[$machine]), found $found" }
    Expand-Archive -Path $file -DestinationPath $work
    New-Item -ItemType Directory -Force -Path $folder | Out-Null
    Copy-Item -Recurse -Force (Join-Path $work "$name\*") $folder
} finally {
    Remove-Item -Recurse -Force $work
}
$version = & (Join-Path $folder 'griot.exe') --version
Write-Output "$version is in $folder"
$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (($path -split ';') -notcontains $folder) {
    $longer = if ($path) { "$($path.TrimEnd(';'));$folder" } else { $folder }
    [Environment]::SetEnvironmentVariable('Path', $longer, 'User')
    Write-Output 'it was added to Path: open a new terminal'
}

"""Who a test is to the S3 server of this machine."""

REGION = "us-east-1"
ACCESS = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": REGION}
